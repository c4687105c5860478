"""The formats of other tools, one file each: how a format is recognised, and which key goes where.

A new file is a new format.
"""
