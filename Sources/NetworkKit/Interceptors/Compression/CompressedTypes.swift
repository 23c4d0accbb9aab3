extension RequestCompressionInterceptor {
    /// Whether content of a media type is compressed by itself, so that compressing it again only takes time: pictures but for SVG and
    /// bitmaps, sound, films, web fonts, PDF, archives, and documents that are archives inside.
    public static func isCompressed(_ type: MediaType) -> Bool {
        let essence = type.essence
        if plain.contains(essence) { return false }
        return prefixes.contains { essence.hasPrefix($0) } || suffixes.contains { essence.hasSuffix($0) } || others.contains(essence)
    }

    /// Exceptions of the prefixes.
    private static let plain: Set<String> = [
        "image/svg+xml", "image/bmp", "image/x-ms-bmp", "image/x-icon", "image/vnd.microsoft.icon", "image/x-portable-pixmap",
        "image/x-portable-graymap", "image/x-portable-bitmap", "audio/midi", "audio/wav", "audio/x-wav", "audio/vnd.wave", "audio/l16",
    ]

    private static let prefixes = [
        "image/", "audio/", "video/", "font/woff", "application/vnd.openxmlformats-officedocument.", "application/vnd.oasis.opendocument.",
    ]

    private static let suffixes = ["+zip", "+gzip", "+zstd"]

    private static let others: Set<String> = [
        "application/zip", "application/gzip", "application/x-gzip", "application/zstd", "application/x-bzip2", "application/x-xz",
        "application/x-7z-compressed", "application/vnd.rar", "application/x-rar-compressed", "application/x-compress", "application/pdf",
        "application/java-archive", "application/vnd.android.package-archive", "application/x-gtar-compressed",
    ]
}
