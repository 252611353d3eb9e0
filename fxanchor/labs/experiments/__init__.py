"""The labs, one file each; a new file here is a new lab."""
