# SPDX-License-Identifier: Apache-2.0
"""The element-style forms (要素式): one table for each cause, and what turns it into document types."""
