# SPDX-License-Identifier: Apache-2.0
"""One file a cause; each defines FORM."""
