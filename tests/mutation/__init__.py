"""A small mutation tester: does a test fail when a line of the program is wrong? See CONTRIBUTING."""
