"""What runs in the image of PrairieLearn's external grader."""
