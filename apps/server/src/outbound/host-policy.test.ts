import { startLoopbackServer } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { createGuardedAgent } from "./guarded-agent.ts"
import { createHostPolicy } from "./host-policy.ts"
import { parseHostRule } from "./host-rule.ts"
import { PUBLIC_HOSTS } from "./public-hosts.ts"

const policyOf = (...hosts: string[]) =>
  createHostPolicy({
    rules: [...PUBLIC_HOSTS, ...hosts].map((host) => parseHostRule(host, "ASSAY_ALLOWED_HOSTS")),
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

describe("the endpoints that users may name", () => {
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
  ] as const)("with %j: %s is allowed: %s [hosts.external, hosts.list]", (hosts, endpoint, isAllowed) => {
    const found = outcome(() => policyOf(...hosts).checkEndpoint(endpoint))
    expect(found).toEqual(isAllowed ? "allowed" : refused)
  })

  it.each(["", "huggingface.co", "ftp://huggingface.co", "https://me:pass@huggingface.co"])(
    "refuses '%s', which is no address, without telling passwords",
    (endpoint) => {
      const error = outcome(() => policyOf().checkEndpoint(endpoint))
      expect(error).toEqual(refused)
      expect(String(error)).not.toContain("me:pass")
    },
  )

  it.each(["", "a b", "10.0.0.0/33", "fd00::/129", "https://a/b", "a:b:c", "*"])("takes no rule '%s'", (text) => {
    expect(() => parseHostRule(text, "ASSAY_ALLOWED_HOSTS")).toThrow(`ASSAY_ALLOWED_HOSTS has '${text}'`)
  })
})

describe("the addresses that are dialled", () => {
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
  ])("are not %s, to whatever name it belongs [hosts.private, hosts.link-local]", (address) => {
    expect(outcome(() => policyOf().checkAddress(https, address))).toEqual(refused)
  })

  it("may be public ones, and private ones of listed names or networks [hosts.private]", () => {
    expect(outcome(() => policyOf().checkAddress(https, "93.184.215.14"))).toBe("allowed")
    expect(outcome(() => policyOf().checkAddress(https, "2606:4700::1"))).toBe("allowed")
    expect(outcome(() => policyOf("files.example").checkAddress(https, "10.0.0.1"))).toBe("allowed")
    expect(outcome(() => policyOf("10.0.0.0/8").checkAddress(https, "10.0.0.1"))).toBe("allowed")
    expect(outcome(() => policyOf("files.example:80").checkAddress(https, "10.0.0.1"))).toEqual(refused)
  })

  it("are link-local only where the address itself is listed [hosts.link-local]", () => {
    expect(outcome(() => policyOf("files.example").checkAddress(https, "169.254.169.254"))).toEqual(refused)
    expect(outcome(() => policyOf("169.254.169.254").checkAddress(https, "169.254.169.254"))).toBe("allowed")
    expect(outcome(() => policyOf("169.254.0.0/16").checkAddress(https, "169.254.169.254"))).toBe("allowed")
  })
})

describe("a guarded agent", () => {
  async function ask(origin: string, ...hosts: string[]) {
    const agent = createGuardedAgent(policyOf(...hosts))
    onTestFinished(() => agent.destroy())
    const answer = await agent.request({ origin, path: "/", method: "GET" }).catch((error: unknown) => error)
    if (answer instanceof Error) return answer
    const { statusCode, body } = answer as { statusCode: number; body: { text(): Promise<string> } }
    await body.text()
    return statusCode
  }

  it("dials nothing that is refused, however the address is spelled [hosts.dialled]", async () => {
    const server = await startLoopbackServer((_request, response) => void response.end("inside"))
    onTestFinished(() => server.close())
    const { port } = new URL(server.url)
    const spellings = ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "[::1]", "0.0.0.0"]
    for (const host of spellings) expect(await ask(`http://${host}:${port}`), host).toEqual(refused)
    // As a URL writes them: 2130706433 and 0x7f.1 are 127.0.0.1.
    expect(await ask(new URL(`http://2130706433:${port}`).origin)).toEqual(refused)
    expect(server.requests).toHaveLength(0)
    expect(await ask(server.url, "127.0.0.1")).toBe(200)
    expect(await ask(`http://localhost:${port}`, "127.0.0.0/8", "::1")).toBe(200)
    expect(await ask(`http://localhost:${port}`, "localhost")).toBe(200)
  })
})
