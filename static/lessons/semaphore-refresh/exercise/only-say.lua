finished = true
