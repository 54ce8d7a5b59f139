// A host for one command on top of `@vicinae/api`: node vicinae-host.js FOLDER EXTENSION COMMAND prints the tree that
// would cross to Vicinae, once the command has loaded. A process of its own, since the package is set up by globals.
const { createRequire, Module } = require("node:module");
const { mkdirSync } = require("node:fs");
const { join } = require("node:path");

const [folder, extension, command] = process.argv.slice(2);
const fromHost = createRequire(join(folder, "package.json"));
const supportPath = join(process.env.HOME, ".vicinae-support");
mkdirSync(supportPath, { recursive: true });

globalThis.vicinae = {
  preferences: {},
  environ: {
    appearance: "dark",
    assetsPath: join(extension, "assets"),
    commandMode: "view",
    commandName: command,
    extensionName: "agent-sessions",
    isDevelopment: true,
    isRaycast: true,
    launchType: "userInitiated",
    ownerOrAuthorName: "agent-sessions",
    raycastVersion: "1.104.25",
    supportPath,
    textSize: "medium",
    theme: "dark",
    canAccess: () => false,
  },
};

// The built command asks for the launcher's names; the host answers with its own package and its own React.
const answered = new Map([
  ["@raycast/api", fromHost.resolve("@vicinae/api")],
  ...["react", "react/jsx-runtime", "react/jsx-dev-runtime"].map((name) => [name, fromHost.resolve(name)]),
]);
const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, ...rest) {
  return answered.get(request) ?? resolve.call(this, request, ...rest);
};

const React = fromHost("react");
const createReconciler = fromHost("react-reconciler");
const { ConcurrentRoot, DefaultEventPriority, NoEventPriority } = fromHost("react-reconciler/constants");
const api = fromHost("@vicinae/api");
// Nobody is on the other end: whatever is asked there is refused.
api.bus.request = async (endpoint) => ({ ok: false, error: new Error(`${endpoint} is not there`) });

const nothing = () => undefined;
const own = (props) => Object.fromEntries(Object.entries(props).filter(([name]) => name !== "children"));
const remove = (parent, child) => {
  const index = parent.children.indexOf(child);
  if (index >= 0) parent.children.splice(index, 1);
};
const append = (parent, child) => {
  remove(parent, child);
  parent.children.push(child);
};
const insertBefore = (parent, child, before) => {
  remove(parent, child);
  parent.children.splice(parent.children.indexOf(before), 0, child);
};
let priority = NoEventPriority;
let committed = nothing;

const reconciler = createReconciler({
  supportsMutation: true,
  supportsMicrotasks: true,
  scheduleMicrotask: queueMicrotask,
  isPrimaryRenderer: true,
  noTimeout: -1,
  scheduleTimeout: setTimeout,
  cancelTimeout: clearTimeout,
  getRootHostContext: () => ({}),
  getChildHostContext: (context) => context,
  getPublicInstance: (instance) => instance,
  prepareForCommit: () => null,
  resetAfterCommit: () => committed(),
  shouldSetTextContent: () => false,
  createInstance: (type, props) => ({ type, props: own(props), children: [] }),
  createTextInstance: (text) => ({ type: "#text", props: { text }, children: [] }),
  appendInitialChild: append,
  finalizeInitialChildren: () => false,
  appendChild: append,
  appendChildToContainer: append,
  insertBefore,
  insertInContainerBefore: insertBefore,
  removeChild: remove,
  removeChildFromContainer: remove,
  clearContainer: (container) => void (container.children.length = 0),
  commitUpdate: (instance, _type, _before, props) => void (instance.props = own(props)),
  commitTextUpdate: (instance, _before, text) => void (instance.props = { text }),
  hideInstance: nothing,
  unhideInstance: nothing,
  detachDeletedInstance: nothing,
  getInstanceFromNode: () => null,
  beforeActiveInstanceBlur: nothing,
  afterActiveInstanceBlur: nothing,
  preparePortalMount: nothing,
  setCurrentUpdatePriority: (next) => void (priority = next),
  getCurrentUpdatePriority: () => priority,
  resolveUpdatePriority: () => priority || DefaultEventPriority,
  shouldAttemptEagerTransition: () => false,
  requestPostPaintCallback: nothing,
  trackSchedulerEvent: nothing,
  resolveEventType: () => null,
  resolveEventTimeStamp: () => -1.1,
  maySuspendCommit: () => false,
  preloadInstance: () => true,
  startSuspendingCommit: nothing,
  suspendInstance: nothing,
  waitForCommitToBeReady: () => null,
  NotPendingTransition: null,
  HostTransitionContext: React.createContext(null),
  resetFormInstance: nothing,
});

const root = { type: "root", props: {}, children: [] };
const fail = (error) => {
  console.error(error);
  process.exit(1);
};
// What is printed beside the tree would not be JSON.
console.log = console.error;

committed = () => {
  const [list] = root.children;
  if (list === undefined || list.props.isLoading !== false) return;
  process.stdout.write(JSON.stringify(root), () => process.exit(0));
};

const container = reconciler.createContainer(root, ConcurrentRoot, null, false, null, "", fail, fail, fail, null);
const { default: Command } = require(join(extension, "dist", `${command}.js`));
const element = React.createElement(Command, { arguments: {}, launchType: "userInitiated" });
reconciler.updateContainer(element, container, null, null);
