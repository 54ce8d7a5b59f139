/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  // Many tests wait for processes of their own: both cores of a small machine are worth it.
  maxWorkers: 2,
  // A process that grew large is slow to start others from.
  workerIdleMemoryLimit: "400MB",
  // A busy machine is slow: that is no failure of a test that waits for processes.
  testTimeout: 20_000,
  roots: ["<rootDir>/test"],
  setupFiles: ["<rootDir>/test/empty-home.ts"],
  setupFilesAfterEnv: ["<rootDir>/test/setup.ts"],
  moduleNameMapper: { "^@raycast/api$": "<rootDir>/test/host/raycast-api.tsx" },
  transform: { "^.+\\.tsx?$": ["ts-jest", { tsconfig: "<rootDir>/tsconfig.test.json" }] },
  reporters: ["default", "<rootDir>/test/count-reporter.js"],
};
