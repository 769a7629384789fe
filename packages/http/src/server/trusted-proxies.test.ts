import { expect, it } from "vitest"
import { parseTrustedProxies } from "./trusted-proxies.ts"

it.each(["true", "0.0.0.0/0", "10.0.0.0/33", "1,loopback", "17", "proxy.example", "10.0.0.0/8/8"])(
  "parseTrustedProxies refuses '%s' and describes the valid form",
  (text) => {
    expect(() => parseTrustedProxies(text.split(","), "PROXIES")).toThrow(/^PROXIES has '.*'; write the addresses/)
  },
)
