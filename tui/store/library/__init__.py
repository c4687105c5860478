"""The library: parties, creatures and conditions as plain TOML beside the saves."""
