import { spawn } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { freePort } from "./free-port.ts"
import { hasCommand } from "./measure/run-command.ts"

/** Starts nginx over a folder, with sendfile. Returns undefined if it is not installed. */
export async function startNginx(home: string, root: string) {
  if (!(await hasCommand("nginx"))) return undefined
  await mkdir(home, { recursive: true })
  const port = await freePort()
  const conf = join(home, "nginx.conf")
  await writeFile(
    conf,
    `daemon off; user root; worker_processes 1; pid ${home}/pid; error_log ${home}/error.log;
events {}
http { access_log off; sendfile on; client_body_temp_path ${home}/body; proxy_temp_path ${home}/proxy; fastcgi_temp_path ${home}/fastcgi;
uwsgi_temp_path ${home}/uwsgi; scgi_temp_path ${home}/scgi; server { listen 127.0.0.1:${port}; root ${root}; } }\n`,
  )
  const child = spawn("nginx", ["-c", conf, "-e", join(home, "error.log")], { stdio: "ignore" })
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()))
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 100; tries += 1) {
    const up = await fetch(url).then(
      () => true,
      () => false,
    )
    if (up) return { url, stop: async () => (child.kill("SIGTERM"), ended) }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error("nginx did not start; see its error.log")
}
