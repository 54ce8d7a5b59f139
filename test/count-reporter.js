const { writeSync } = require("node:fs");

/** Closes a run with its counts alone on the last line, for those who read only that. */
module.exports = class CountReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const tail = skipped > 0 ? `, ${skipped} skipped` : "";
    // Jest prints its own summary after every reporter.
    process.on("exit", () => writeSync(1, `${results.numPassedTests} passed, ${failed} failed${tail}\n`));
  }
};
