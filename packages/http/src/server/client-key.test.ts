import { expect, it } from "vitest"
import { clientKey } from "./client-key.ts"

it.each([
  ["203.0.113.1", "203.0.113.1"],
  ["203.0.113.2:50000", "203.0.113.2"],
  ["::ffff:203.0.113.1", "203.0.113.1"],
  ["2001:0DB8:0000:0001:ffff:ffff:ffff:ffff", "2001:db8:0:1::/64"],
  ["2001:db8:0:1::1", "2001:db8:0:1::/64"],
  ["[2001:db8:0:4::1]:5", "2001:db8:0:4::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
  ["_hidden", "unknown"],
])("clientKey of '%s' is %s", (address, key) => {
  expect(clientKey(address)).toBe(key)
})
