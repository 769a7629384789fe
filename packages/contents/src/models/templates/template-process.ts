import { stdin, stdout } from "node:process"
import { text } from "node:stream/consumers"
import { templateFault } from "@assay/templates"
import { examineTemplate } from "./examine-template.ts"
import { unreadable, type TemplateReport, type TemplateTask } from "./template-report.ts"

// This file is the program of the process that `runTemplateProcess` starts. It reads a task and writes a report.
const task = JSON.parse(await text(stdin)) as TemplateTask
// The parent starts counting the time now. JSON ignores the line feed before the report.
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
