worked = true
