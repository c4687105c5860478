"""Pictures that lie over the panes: the palette, the help, a step of the log read whole."""
