// The one place that knows which Foundation and which C library a platform has, so that no other file needs to ask.
// Linux gets FoundationEssentials: a third of the memory and a tenth of the start-up time of all of Foundation.
// The re-export reaches the targets of this package only: NetworkKit itself exports neither.

@_exported public import Synchronization

#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif

#if canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#elseif canImport(Darwin)
@_exported public import Darwin
#endif
