import { PUBLIC_CATALOG_HOST, PUBLIC_HUB_ENDPOINT } from "@assay/schemas"
import { startLoopbackServer, verifies } from "@assay/testkit"
import { interceptors } from "undici"
import { describe, expect, it, onTestFinished } from "vitest"
import { createGuardedAgent } from "./guarded-agent.ts"
import { createHostPolicy } from "./host-policy.ts"
import { parseHostRule } from "./host-rule.ts"

const policyOf = (...hosts: string[]) =>
  createHostPolicy({
    rules: [PUBLIC_CATALOG_HOST, PUBLIC_HUB_ENDPOINT, ...hosts].map((host) =>
      parseHostRule(host, "ASSAY_ALLOWED_HOSTS"),
    ),
    unlisted: "none",
    setting: "ASSAY_ALLOWED_HOSTS",
  })

const refused = expect.objectContaining({ code: "host_not_allowed" })

function outcome(check: () => void): unknown {
  try {
    check()
    return "allowed"
  } catch (error) {
    return error
  }
}

describe("the check of endpoints that users name", () => {
  it.each([
    [[], "https://huggingface.co", true],
    [[], "https://api.ngc.nvidia.com/v2", true],
    [[], "http://huggingface.co", false],
    [[], "https://huggingface.co.evil.example", false],
    [[], "https://example.org", false],
    [[], "http://127.0.0.1:9000", false],
    [["example.org"], "http://example.org:8080/prefix", true],
    [["example.org:443"], "https://example.org", true],
    [["example.org:443"], "https://example.org:444", false],
    [["*.example.org"], "https://a.b.example.org", true],
    [["*.example.org"], "https://example.org", false],
    [["https://s3.example:9000"], "https://s3.example:9000", true],
    [["https://s3.example:9000"], "http://s3.example:9000", false],
    [["127.0.0.0/30"], "http://127.0.0.1:80", true],
    [["127.0.0.2/31"], "http://127.0.0.1", false],
    [["10.0.0.0/8"], "http://inside.example", true],
    [["fd00::/8"], "http://[fd00::1]:9000", true],
    [["EXAMPLE.org"], "https://Example.ORG", true],
    [["127.0.0.1:9000"], "http://2130706433:9000", true],
    [["127.0.0.1:9000"], "http://2130706433:9001", false],
    [["0x7f.1:9000"], "http://127.0.0.1:9000", true],
    [["127.0.0.1:9000"], "http://[::ffff:7f00:1]:9000", true],
    [["[0:0:0:0:0:0:0:1]:9000"], "http://[::1]:9000", true],
    [["https://127.0.0.1"], "http://127.0.0.1", false],
    [["127.0.0.1:80"], "http://127.0.0.1", true],
    [["127.0.0.1:80"], "https://127.0.0.1", false],
    [["https://127.0.0.1:443"], "https://127.0.0.1", true],
    [["*.example.org:8443"], "https://a.example.org", false],
  ] as const)(
    "with the list %j: %s is allowed: %s",
    verifies("hosts.external", "hosts.list"),
    (hosts, endpoint, isAllowed) => {
      const found = outcome(() => policyOf(...hosts).checkEndpoint(endpoint))
      expect(found).toEqual(isAllowed ? "allowed" : refused)
    },
  )

  it.each(["", "huggingface.co", "ftp://huggingface.co", "https://me:pass@huggingface.co"])(
    "refuses '%s', which is not a URL of an endpoint, without showing passwords",
    (endpoint) => {
      const error = outcome(() => policyOf().checkEndpoint(endpoint))
      expect(error).toEqual(refused)
      expect(String(error)).not.toContain("me:pass")
    },
  )

  it.each(["", "a b", "10.0.0.0/33", "fd00::/129", "https://a/b", "a:b:c", "*", "a:0", "a:65536", "256.0.0.1:80"])(
    "refuses the rule '%s'",
    (text) => {
      expect(() => parseHostRule(text, "ASSAY_ALLOWED_HOSTS")).toThrow(`ASSAY_ALLOWED_HOSTS has '${text}'`)
    },
  )
})

describe("connections to addresses", () => {
  const https = { protocol: "https:", hostname: "files.example", port: 443 }

  it.each([
    "127.0.0.1",
    "10.1.1.1",
    "172.31.0.1",
    "192.168.0.9",
    "169.254.169.254",
    "100.100.0.1",
    "0.0.0.0",
    "::1",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "fd12::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "not an address",
  ])("to %s are refused under any name", verifies("hosts.private", "hosts.link-local"), (address) => {
    expect(outcome(() => policyOf().checkAddress(https, address))).toEqual(refused)
  })

  it(
    "to public addresses, and to private ones of listed names or networks, are allowed",
    verifies("hosts.private"),
    () => {
      expect(outcome(() => policyOf().checkAddress(https, "93.184.215.14"))).toBe("allowed")
      expect(outcome(() => policyOf().checkAddress(https, "2606:4700::1"))).toBe("allowed")
      expect(outcome(() => policyOf("files.example").checkAddress(https, "10.0.0.1"))).toBe("allowed")
      expect(outcome(() => policyOf("10.0.0.0/8").checkAddress(https, "10.0.0.1"))).toBe("allowed")
      expect(outcome(() => policyOf("files.example:80").checkAddress(https, "10.0.0.1"))).toEqual(refused)
    },
  )

  it.each([
    ["10.0.0.1:8000", "http:", 8000, true],
    ["10.0.0.1:8000", "https:", 8000, true],
    ["10.0.0.1:8000", "http:", 8001, false],
    ["https://10.0.0.1:8000", "https:", 8000, true],
    ["https://10.0.0.1:8000", "http:", 8000, false],
    ["https://10.0.0.1", "https:", 443, true],
    ["https://10.0.0.1", "http:", 80, false],
    ["http://files.example:8000", "http:", 8000, true],
    ["http://files.example:8000", "http:", 8001, false],
    ["http://files.example:8000", "https:", 8000, false],
    ["*.example:8000", "http:", 8000, true],
    ["*.example:8000", "http:", 22, false],
    ["10.0.0.0/8", "http:", 22, true],
  ] as const)(
    "with the rule %s: %s on port %i to 10.0.0.1, by any spelling or name, is allowed: %s",
    verifies("hosts.rule-port"),
    (rule, protocol, port, isAllowed) => {
      const found = isAllowed ? "allowed" : refused
      const policy = policyOf(rule)
      const dialled = ["10.0.0.1", "::ffff:10.0.0.1", "::ffff:a00:1"]
      for (const address of dialled) {
        const named = { protocol, hostname: "files.example", port }
        expect(
          outcome(() => policy.checkAddress(named, address)),
          address,
        ).toEqual(found)
        if (rule.includes("example")) continue
        expect(outcome(() => policy.checkAddress({ ...named, hostname: "other.example" }, address))).toEqual(found)
        expect(outcome(() => policy.checkAddress({ ...named, hostname: address }, address))).toEqual(found)
      }
    },
  )

  it("to link-local addresses are allowed only if the address itself is listed", verifies("hosts.link-local"), () => {
    expect(outcome(() => policyOf("files.example").checkAddress(https, "169.254.169.254"))).toEqual(refused)
    expect(outcome(() => policyOf("169.254.169.254").checkAddress(https, "169.254.169.254"))).toBe("allowed")
    expect(outcome(() => policyOf("169.254.0.0/16").checkAddress(https, "169.254.7.7"))).toBe("allowed")
    const onPort80 = policyOf("169.254.169.254:80")
    expect(outcome(() => onPort80.checkAddress(https, "169.254.169.254"))).toEqual(refused)
    const embedded = ["::ffff:169.254.169.254", "::a9fe:a9fe", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1", "fe80::1%lo"]
    const free = createHostPolicy({ rules: [], unlisted: "all-but-link-local", setting: "X" })
    for (const address of embedded) {
      expect(
        outcome(() => free.checkAddress(https, address)),
        address,
      ).toEqual(refused)
      expect(
        outcome(() => policyOf("files.example").checkAddress(https, address)),
        address,
      ).toEqual(refused)
    }
  })
})

describe("the hosts that users name", () => {
  const named = { protocol: "https:", hostname: "other.example", port: 443 }

  it("must resolve into listed networks if they are not listed by name", verifies("hosts.network-names"), () => {
    const policy = policyOf("10.0.0.0/8", "files.example")
    expect(outcome(() => policy.checkNamed(named, "10.0.0.1"))).toBe("allowed")
    for (const address of ["93.184.215.14", "2606:4700::1", "192.168.0.1", "169.254.7.7"]) {
      expect(
        outcome(() => policy.checkNamed(named, address)),
        address,
      ).toEqual(refused)
    }
    expect(outcome(() => policy.checkNamed({ ...named, hostname: "files.example" }, "93.184.215.14"))).toBe("allowed")
    expect(outcome(() => policy.checkNamed({ ...named, hostname: "huggingface.co" }, "93.184.215.14"))).toBe("allowed")
    expect(outcome(() => policyOf("93.184.0.0/16").checkNamed(named, "93.184.215.14"))).toBe("allowed")
    // A backend redirects its clients to its own public hosts.
    expect(outcome(() => policy.checkAddress(named, "93.184.215.14"))).toBe("allowed")
  })

  it(
    "can resolve to any public address if the policy allows unlisted public hosts",
    verifies("hosts.network-names"),
    () => {
      const rules = [parseHostRule("10.0.0.0/8", "X")]
      const policy = createHostPolicy({ rules, unlisted: "public", setting: "X" })
      expect(outcome(() => policy.checkNamed(named, "93.184.215.14"))).toBe("allowed")
      expect(outcome(() => policy.checkNamed(named, "192.168.0.1"))).toEqual(refused)
    },
  )
})

describe("the addresses of cloud metadata services", () => {
  const host = { protocol: "http:", hostname: "files.example", port: 80 }

  it.each([
    ["fd00:ec2::254", "fd00::/8"],
    ["100.100.100.200", "100.64.0.0/10"],
    ["192.0.0.192", "192.0.0.0/24"],
    ["168.63.129.16", "168.0.0.0/8"],
    ["169.254.169.254", "169.254.0.0/16"],
    ["fd20:ce::254", "::/0"],
    ["fe80::a9fe:a9fe", "fe80::/10"],
  ])(
    "are refused unless a rule names %s alone, even with %s listed",
    verifies("hosts.metadata"),
    (address, network) => {
      const literal = address.includes(":") ? `[${address}]` : address
      const free = createHostPolicy({ rules: [], unlisted: "all-but-link-local", setting: "X" })
      for (const policy of [policyOf(network), policyOf("files.example"), free]) {
        expect(outcome(() => policy.checkNamed(host, address))).toEqual(refused)
        expect(outcome(() => policy.checkAddress(host, address))).toEqual(refused)
        expect(outcome(() => policy.checkEndpoint(`http://${literal}/`))).toEqual(refused)
      }
      expect(String(outcome(() => free.checkAddress(host, address)))).toContain("with exactly this address in X")
      for (const rule of [address, `${literal}:80`, `${address}/${address.includes(":") ? 128 : 32}`]) {
        expect(
          outcome(() => policyOf(rule).checkNamed(host, address)),
          rule,
        ).toBe("allowed")
        expect(
          outcome(() => policyOf(rule).checkEndpoint(`http://${literal}/`)),
          rule,
        ).toBe("allowed")
      }
    },
  )

  it.each(["::ffff:100.100.100.200", "64:ff9b::6464:64c8", "2002:6464:64c8::1", "::6464:64c8", "fd00:ec2:0::254%eth0"])(
    "are recognised as %s",
    verifies("hosts.metadata"),
    (address) => {
      const free = createHostPolicy({ rules: [], unlisted: "all-but-link-local", setting: "X" })
      expect(outcome(() => free.checkAddress(host, address))).toEqual(refused)
    },
  )
})

describe("a guarded agent", () => {
  async function ask(origin: string, ...hosts: string[]) {
    const agent = createGuardedAgent(policyOf(...hosts).checkNamed)
    onTestFinished(() => agent.destroy())
    const answer = await agent.request({ origin, path: "/", method: "GET" }).catch((error: unknown) => error)
    if (answer instanceof Error) return answer
    const { statusCode, body } = answer as { statusCode: number; body: { text(): Promise<string> } }
    await body.text()
    return statusCode
  }

  it("does not connect to refused addresses, in any spelling", verifies("hosts.dialled"), async () => {
    const server = await startLoopbackServer((_request, response) => void response.end("inside"))
    onTestFinished(() => server.close())
    const { port } = new URL(server.url)
    const spellings = ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "[::1]", "0.0.0.0"]
    for (const host of spellings) expect(await ask(`http://${host}:${port}`), host).toEqual(refused)
    // A URL normalises them: 2130706433 and 0x7f.1 are 127.0.0.1.
    expect(await ask(new URL(`http://2130706433:${port}`).origin)).toEqual(refused)
    expect(server.requests).toHaveLength(0)
    expect(await ask(server.url, "127.0.0.1")).toBe(200)
    expect(await ask(`http://localhost:${port}`, "127.0.0.0/8", "::1")).toBe(200)
    expect(await ask(`http://localhost:${port}`, "localhost")).toBe(200)
  })

  it(
    "connects only to the listed port of an address, in any spelling of the address",
    verifies("hosts.rule-port"),
    async () => {
      const [listed, other] = await Promise.all([open(), open()])
      const rule = new URL(listed.url).host
      const [P1, P2] = [new URL(listed.url).port, new URL(other.url).port]
      const spellings = [
        "127.0.0.1",
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "localhost",
      ]
      for (const host of spellings) {
        const origin = (port: string) => new URL(`http://${host}:${port}`).origin
        // `localhost` can resolve to ::1 first, which is not listed.
        const rules = host === "localhost" ? [rule, `[::1]:${P1}`] : [rule]
        expect(await ask(origin(P1), ...rules), host).toBe(200)
        expect(await ask(origin(P2), ...rules), host).toEqual(refused)
        expect(await ask(origin(P1).replace("http:", "https:"), `http://${rule}`), host).toEqual(refused)
      }
      expect(other.requests).toEqual([])
    },
  )

  it("does not follow a redirect to another port of a listed address", verifies("hosts.rule-port"), async () => {
    const other = await open()
    const listed = await startLoopbackServer((_request, response) => {
      response.writeHead(302, { location: other.url }).end()
    })
    onTestFinished(() => listed.close())
    const agent = createGuardedAgent(policyOf(new URL(listed.url).host).checkAddress)
    onTestFinished(() => agent.destroy())
    const answer = agent
      .compose(interceptors.redirect({ maxRedirections: 1 }))
      .request({ origin: listed.url, path: "/", method: "GET" })
    await expect(answer).rejects.toEqual(refused)
    expect(other.requests).toEqual([])
  })

  async function open() {
    const server = await startLoopbackServer((_request, response) => void response.end("inside"))
    onTestFinished(() => server.close())
    return server
  }
})
