"""The screen without Textual: rows of words become cells, and cells frames.

Whatever is shown goes through here.
"""
