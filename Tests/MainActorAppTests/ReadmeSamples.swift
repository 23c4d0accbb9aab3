import Foundation
import NetworkKit

// The sample of README.md for apps whose code belongs to the main actor; it compiles as it stands there.

nonisolated struct Book: Decodable, Sendable {
    var title: String
}

nonisolated struct FindBook: ResponseEndpoint {
    typealias Response = Book
    var id: Int
    var baseURL: URL { URL(string: "https://library.example/v1")! }
    var path: Path { "books/\(id)" }
}

final class BookModel {  // on the main actor, as is all that isn't marked
    var title = ""
    var client = NetworkClient()

    func load(id: Int) async {
        switch await client.send(FindBook(id: id)) {
        case .success(let book): title = book.title
        case .failure(let error): title = error.customMessage
        }
    }
}
