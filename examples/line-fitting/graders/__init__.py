"""How answers are judged; none of it ever leaves this course's folder."""
