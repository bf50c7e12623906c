"""What runs on the student's side: fork server, confinement, wire, and the running of cells.

The fork server loads these files alone, under another package name: they import nothing else of
this project and hold no secret. The trusted side uses those that describe frames and values too.
"""
