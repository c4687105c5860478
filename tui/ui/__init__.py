"""The shell: the only place that imports Textual."""
