import { stdin, stdout } from "node:process"
import { text } from "node:stream/consumers"
import { templateFault } from "@assay/templates"
import { examineTemplate } from "./examine-template.ts"
import { unreadable, type TemplateReport, type TemplateTask } from "./template-report.ts"

// The whole of a process that `runTemplateProcess` starts: a task comes in, a report goes out.
const task = JSON.parse(await text(stdin)) as TemplateTask
// The parent counts the time from here on. The end of a line before the report means nothing in JSON.
stdout.write("\n")
stdout.write(JSON.stringify(report()))

function report(): TemplateReport {
  try {
    return examineTemplate(task)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return unreadable(templateFault(null, "is nested too deeply"))
  }
}
