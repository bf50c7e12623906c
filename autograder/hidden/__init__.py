"""Hidden graders: one pytest file an assignment; students never receive them."""
