"""The tutorial: a short fight for each system, played on the real screen with somebody saying what to press."""
