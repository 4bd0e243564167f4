//! The Surface kernel: what a page declares, who may see it, and how one request runs.
