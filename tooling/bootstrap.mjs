// Runs a root command with the pinned Node and pnpm, whatever Node npm was started with.
// Plain JavaScript on purpose: this file must run on the oldest Node that npm can bring along.
import { spawn, spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"

const NODE = "24.21.0"
const PNPM = "12.21.0"
const NODE_MAJOR = 24

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const caller = process.cwd()
const remembered = join(root, ".cache", "tools.json")
const { platform, arch, execPath, env: given } = process

/** A step with a title is announced, with the time that it takes. */
const install = { title: "Installing packages", command: ["pnpm", "install", "--frozen-lockfile", "--reporter=silent"] }
// One compiler for all packages reads what they share once. Their own builds then find nothing to do.
// It writes programs only: the linter of `npm test` checks the types of the same sources, and of tests, which takes as long again.
const compile = (...folders) => ({
  title: "Compiling what changed",
  command: ["tsc", "-b", "--noCheck", ...folders.map((folder) => `${folder}/tsconfig.build.json`)],
})
const buildApps = (...names) => [
  compile(...names.map((name) => `apps/${name}`)),
  {
    title: "Building what changed",
    command: [
      "turbo",
      "run",
      "build",
      ...names.map((name) => `--filter=@assay/${name}...`),
      "--output-logs=errors-only",
    ],
  },
]
const program = (...args) => ({ command: ["node", ...args] })
const cli = join(root, "apps/cli/dist/bundle/main.js")
const tasks = {
  setup: { steps: [install, ...buildApps("cli"), { action: linkCommand }] },
  test: {
    steps: [
      install,
      compile("apps/cli", "apps/server", "packages/testkit"),
      // The linter computes types again for each thread that Go gives it. Tests use the other processors meanwhile.
      {
        command: ["turbo", "run", "build", "lint", "test", "test:packages", "--concurrency=4"],
        env: { GOMAXPROCS: "1" },
      },
    ],
  },
  // What kills programs again and again, or takes minutes. `npm test` leaves it out.
  "test:long": {
    steps: [
      install,
      ...buildApps("cli", "server"),
      { command: ["turbo", "run", "test", "test:packages", "--concurrency=1"], env: { ASSAY_LONG_TESTS: "1" } },
    ],
  },
  start: { steps: [install, ...buildApps("server"), program("apps/server/dist/bundle/main.js")] },
  bench: { steps: [install, ...buildApps("cli", "server"), program("tooling/bench/src/main.ts")] },
  scale: { steps: [install, ...buildApps("cli", "server"), program("tooling/scale/src/main.ts")] },
  // Installs only: the program checks the repository before it builds.
  release: { steps: [install, program("tooling/release/src/main.ts")] },
  // Chat completions without a model, for trying judges and evaluations out.
  "fake-endpoint": {
    steps: [install, compile("packages/testkit"), program("packages/testkit/dist/inference/main.js")],
  },
  // Quiet and quick: a command that people type does not install anything once the build is there.
  assay: {
    steps: existsSync(cli) ? [program(cli)] : [install, ...buildApps("cli"), program(cli)],
    cwd: given.INIT_CWD ?? caller,
  },
}

/** Writes a command that runs this clone's program, and prints how to put it on the path. */
function linkCommand() {
  const folder = join(root, ".cache", "bin")
  const file = join(folder, "assay")
  const quote = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`
  const node = tools.folders.map((one) => join(one, "node")).find((path) => existsSync(path)) ?? execPath
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, `#!/bin/sh\nexec ${quote(node)} ${quote(cli)} "$@"\n`)
  chmodSync(file, 0o755)
  process.stdout.write(
    `\nAssay is built. Put its command on the path, in this terminal or in your shell's start file:\n\n  export PATH=${quote(folder)}:"$PATH"\n\nThen: assay --help\n`,
  )
  return 0
}

/** The PATH that holds the pinned tools: from npm, asked once and remembered for as long as its folders exist. */
function findTools() {
  const key = `${execPath} ${NODE} ${PNPM}`
  try {
    const tools = JSON.parse(readFileSync(remembered, "utf8"))
    if (tools.key === key && tools.folders.every((folder) => existsSync(folder))) return tools
  } catch {
    // Nothing remembered yet, or not readable: ask.
  }
  const wanted = [`pnpm@${PNPM}`]
  if (Number(process.versions.node.split(".")[0]) < NODE_MAJOR) {
    // The platform's own package: the binary is inside it, so that no install script has to run.
    const family = `${platform}-${arch}` === "darwin-arm64" ? "node-bin" : "node"
    wanted.push(`${family}-${platform === "win32" ? "win" : platform}-${arch}@${NODE}`)
    process.stderr.write(
      `Node ${process.versions.node} is older than ${NODE_MAJOR}: fetching Node ${NODE} through npm.\n`,
    )
  } else process.stderr.write(`Fetching pnpm ${PNPM} through npm.\n`)
  const npm = (given.npm_execpath ?? "").endsWith("npm-cli.js") ? [execPath, given.npm_execpath] : ["npm"]
  const ask = [
    "exec",
    "--yes",
    ...wanted.map((name) => `--package=${name}`),
    "-c",
    "node -p 'process.env.PATH+String.fromCharCode(10)+process.version'",
  ]
  const found = spawnSync(npm[0], [...npm.slice(1), ...ask], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  })
  if (found.status !== 0) {
    process.stderr.write(
      `Could not fetch ${wanted.join(" and ")} through npm. Check npm's registry settings, or install Node ${NODE_MAJOR} yourself.\n`,
    )
    process.exit(found.status ?? 1)
  }
  const [PATH, version] = found.stdout.trim().split("\n").slice(-2)
  const folders = PATH.split(platform === "win32" ? ";" : ":").filter(
    (folder) => folder.includes("_npx") && existsSync(folder),
  )
  const tools = { key, PATH, version, folders }
  if (folders.length > 0) {
    mkdirSync(dirname(remembered), { recursive: true })
    writeFileSync(remembered, JSON.stringify(tools))
  }
  return tools
}

const tools = findTools()
const env = {
  ...given,
  PATH: tools.PATH,
  TOOL_NODE: tools.version,
  TURBO_TELEMETRY_DISABLED: "1",
  TURBO_NO_UPDATE_NOTIFIER: "1",
  // Spares every process but the first the compilation of the modules that it loads.
  NODE_COMPILE_CACHE: given.NODE_COMPILE_CACHE ?? join(root, ".cache", "compile"),
  // Lets the compiler and the linter, which are Go programs that end soon, collect garbage less often.
  GOGC: given.GOGC ?? "400",
}
delete env.NODE
delete env.npm_node_execpath

const signals = ["SIGINT", "SIGTERM", "SIGHUP"]
let stopped = false

function run([command, ...args], cwd, more) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd, env: { ...more, ...env }, stdio: "inherit" })
    const forward = (signal) => {
      stopped = true
      child.kill(signal)
    }
    for (const signal of signals) process.on(signal, forward)
    const end = (code) => {
      for (const signal of signals) process.off(signal, forward)
      done(code)
    }
    child.on("error", (error) => {
      process.stderr.write(`${command}: ${error.message}\n`)
      end(127)
    })
    child.on("close", (code, signal) => end(signal === null ? code : 1))
  })
}

const [name, ...rest] = process.argv.slice(2)
const task = tasks[name]
if (task === undefined) {
  process.stderr.write(`Unknown task '${name}'. Tasks: ${Object.keys(tasks).join(", ")}.\n`)
  process.exit(2)
}
/** Says what runs, and in a terminal also for how many seconds. Returns a function that says how long it took. */
function announce(title) {
  const startedAt = performance.now()
  const seconds = () => Math.round((performance.now() - startedAt) / 1000)
  if (!process.stderr.isTTY) {
    process.stderr.write(`${title} …\n`)
    return () => {}
  }
  const show = () => process.stderr.write(`\r${title} … ${seconds()} s`)
  show()
  const timer = setInterval(show, 1000)
  return () => {
    clearInterval(timer)
    process.stderr.write(`\r${title}: ${seconds()} s  \n`)
  }
}

for (const [index, { title, command, action, env: more }] of task.steps.entries()) {
  const isLast = index === task.steps.length - 1
  const finish = title === undefined ? () => {} : announce(title)
  const code =
    action === undefined
      ? await run([...command, ...(isLast ? rest : [])], isLast && task.cwd !== undefined ? task.cwd : root, more)
      : action()
  finish()
  // turbo answers 0 when it is told to stop; only our own program's answer is to be believed.
  if (code !== 0 || stopped) process.exit(code || (command?.[0] === "node" ? 0 : 130))
}
