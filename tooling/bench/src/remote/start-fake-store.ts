import { startChildServer, type ChildServer } from "../child-server.ts"
import { fakeServer } from "../fakes/fake-server.ts"

/** Starts the fake object store as a separate process. */
export function startFakeStore(options: object): Promise<ChildServer> {
  return startChildServer(fakeServer("objstore"), [JSON.stringify(options)])
}
