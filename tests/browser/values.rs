//! Values at the border.
