internal import PlatformBase

/// Where TMDB's images are and in which sizes: the first half of every image's address.
struct ImageConfiguration: Codable, Sendable, Hashable {
    struct Images: Codable, Sendable, Hashable {
        let secureBaseURL: String
        let posterSizes: [String]
        let backdropSizes: [String]

        enum CodingKeys: String, CodingKey {
            case secureBaseURL = "secure_base_url"
            case posterSizes = "poster_sizes"
            case backdropSizes = "backdrop_sizes"
        }
    }

    let images: Images

    /// The address of a poster in the smallest size of at least `width` pixels.
    func poster(_ path: String?, width: Int) -> String? { url(path, sizes: images.posterSizes, width: width) }

    /// The address of a backdrop in the smallest size of at least `width` pixels.
    func backdrop(_ path: String?, width: Int) -> String? { url(path, sizes: images.backdropSizes, width: width) }

    private func url(_ path: String?, sizes: [String], width: Int) -> String? {
        guard let path else { return nil }
        let fitting = sizes.filter { size in
            size.first == "w" && Int(size.dropFirst()).map { $0 >= width } == true
        }
        let size = fitting.min { (Int($0.dropFirst()) ?? 0) < (Int($1.dropFirst()) ?? 0) } ?? "original"
        return images.secureBaseURL + size + path
    }
}
