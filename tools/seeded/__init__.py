# SPDX-License-Identifier: Apache-2.0
"""Parts of tools/seed_faults.py."""
