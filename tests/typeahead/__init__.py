"""The law of bytes: any keys, in any packets with any delay, do what they do one by one."""
