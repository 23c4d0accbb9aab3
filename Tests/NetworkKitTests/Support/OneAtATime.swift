import Testing

/// Tests that need the machine's attention: those that bound a time from above, and those that make so many requests that they would
/// hold up the others' clocks. They run one behind the other, and beside the rest.
@Suite("One at a time", .serialized)
struct OneAtATime {}
