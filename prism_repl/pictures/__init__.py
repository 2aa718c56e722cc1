"""Pictures of trees, explanation graphs, distributions and learning: as text, and as files by libraries."""
