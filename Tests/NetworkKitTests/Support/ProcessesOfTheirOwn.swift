import Testing

/// Tests whose work is done by processes of their own, which take all of a processor: memory, threads and descriptors are counted there, and
/// what crashes is no test. They run one behind the other, and beside the rest.
@Suite("In processes of their own", .serialized)
struct ProcessesOfTheirOwn {}
