"""What a picture depends on: the view, the scene, targets, layout, and the values between them."""
