"""The values that a frame depends on: view, scene, targets, layout, and what is computed from them."""
