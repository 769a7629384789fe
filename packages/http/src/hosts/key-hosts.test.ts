import { describe, expect, it } from "vitest"
import { createKeyHosts } from "./key-hosts.ts"

describe("the hosts that may receive keys", () => {
  const isKeyHost = createKeyHosts(
    ["api.example.com", "*.internal.example", "https://one.example:8443", "10.1.0.0/16"],
    "HOSTS",
  )

  it.each([
    "http://127.0.0.1:9000/v1",
    "http://127.0.0.1/v1",
    "http://[::1]:9000/v1",
    "http://localhost:9000",
    "http://2130706433/v1",
    "https://api.example.com/v1",
    "https://API.example.com:444/v1",
    "https://gpu.internal.example/v1",
    "https://one.example:8443/v1",
    "http://10.1.2.3:8000/v1",
  ])("include %s", (url) => {
    expect(isKeyHost(url)).toBe(true)
  })

  it.each([
    "https://collector.example/v1",
    "https://api.example.com.collector.example/v1",
    "https://api.example.com@collector.example/v1",
    "https://internal.example/v1",
    "http://one.example:8443/v1",
    "https://one.example/v1",
    "http://10.2.0.1/v1",
    "http://127.0.0.1.collector.example/v1",
    "http://localhost.collector.example",
    "not a url",
  ])("exclude %s", (url) => {
    expect(isKeyHost(url)).toBe(false)
  })
})
