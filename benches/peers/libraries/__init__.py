"""One file for each peer: `start(threads)`, `version()`, `array(result)` and `variants(job)`."""
