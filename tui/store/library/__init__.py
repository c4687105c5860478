"""The library: parties, prepared encounters, creatures and conditions as plain TOML beside the saves."""
