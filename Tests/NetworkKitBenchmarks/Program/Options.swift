/// What the command line asks for.
struct Options: Sendable {
    enum Mode: Sendable {
        case measure
        case help
        /// Hidden: be the server.
        case serve
        /// Hidden: run one scenario in this process and print the most memory that it took.
        case peak(Scenario, Server)
    }

    struct Fault: Error, CustomStringConvertible { let description: String }

    var mode = Mode.measure
    var isJSON = false
    var isQuick = false
    /// Whether NetworkKit is measured with nothing beside it.
    var isAlone = false
    /// Whether this package's own server serves although nginx is installed.
    var usesLoopback = false
    var rounds: Int
    var scenarios = Scenario.all

    static let usage = """
        usage: NetworkKitBenchmarks [--json] [--only NAME]... [--rounds N] [--quick] [--alone] [--loopback]

          --json        print the figures as JSON and nothing else
          --only NAME   measure one scenario; may be given more than once
          --rounds N    rounds of each scenario, 1 to 1000; default 9
          --quick       see that everything works: two short rounds, whose figures mean nothing
          --alone       NetworkKit without the clients that it is compared with, for a profiler
          --loopback    use this package's own server, even where nginx is installed
          --help        print this

        Scenarios: \(Scenario.all.map(\.name).joined(separator: ", ")).
        Build with -c release; with --traits URLSession, URLSession is measured too.
        """

    init(_ arguments: some Sequence<String>) throws(Fault) {
        var names: [String] = []
        var given: Int?
        var words = Array(arguments)[...]
        func value(of option: String) throws(Fault) -> String {
            guard let value = words.popFirst() else { throw Fault(description: "\(option) needs a value") }
            return value
        }
        while let word = words.popFirst() {
            switch word {
            case "--json": isJSON = true
            case "--quick": isQuick = true
            case "--alone": isAlone = true
            case "--loopback": usesLoopback = true
            case "--help", "-h": mode = .help
            case "--only": names.append(try value(of: word))
            case "--rounds":
                let text = try value(of: word)
                guard let number = Int(text), (1...1000).contains(number) else {
                    throw Fault(description: "--rounds needs a number from 1 to 1000, not \"\(text)\"")
                }
                given = number
            case LoopbackChild.option: mode = .serve
            case ScenarioRun.peakOption:
                let scenario = try Self.scenario(try value(of: word))
                guard let server = Server(words: try value(of: word)) else { throw Fault(description: "\(word) needs a server") }
                mode = .peak(scenario, server)
            default: throw Fault(description: "unknown option \"\(word)\"")
            }
        }
        rounds = given ?? (isQuick ? 2 : 9)
        if !names.isEmpty {
            var chosen: [Scenario] = []
            for name in names { chosen.append(try Self.scenario(name)) }
            scenarios = chosen
        }
    }

    private static func scenario(_ name: String) throws(Fault) -> Scenario {
        guard let scenario = Scenario.all.first(where: { $0.name == name }) else {
            throw Fault(description: "no scenario \"\(name)\"")
        }
        return scenario
    }

    /// What a round of a scenario is bounded by.
    func bounds(_ scenario: Scenario) -> Bounds {
        isQuick ? Bounds(requests: min(scenario.requests, 2000), seconds: 0.03) : Bounds(requests: scenario.requests, seconds: 0.7)
    }
}
