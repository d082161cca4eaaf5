"""Pictures of lots laid anew from cut-outs of rendered ones."""
