import { environment, happened, host$, LaunchType, type AlertOptions } from "./state";

enum ToastStyle {
  Success = "SUCCESS",
  Failure = "FAILURE",
  Animated = "ANIMATED",
}

interface ToastAction {
  title: string;
  onAction: (toast: Toast) => void;
}

interface ToastOptions {
  title: string;
  message?: string;
  style?: ToastStyle;
  primaryAction?: ToastAction;
  secondaryAction?: ToastAction;
}

/** A toast; it may be changed while it shows. */
export class Toast {
  static readonly Style = ToastStyle;
  title = "";
  style = ToastStyle.Success;
  message?: string;
  primaryAction?: ToastAction;
  secondaryAction?: ToastAction;

  constructor(options: ToastOptions) {
    Object.assign(this, options);
  }

  async show(): Promise<void> {
    if (environment.launchType === LaunchType.Background) {
      throw new Error("Toast API is not available when command is launched in background");
    }
    if (!host$.toasts.includes(this)) host$.toasts.push(this);
    happened();
  }

  async hide(): Promise<void> {
    host$.toasts = host$.toasts.filter((toast) => toast !== this);
    happened();
  }
}

export async function showToast(options: ToastOptions | ToastStyle, title = "", message?: string): Promise<Toast> {
  const toast = new Toast(typeof options === "object" ? options : { style: options, title, message });
  await toast.show();
  return toast;
}

export async function showHUD(title: string): Promise<void> {
  host$.huds.push(title);
  happened();
}

export const Alert = { ActionStyle: { Default: "DEFAULT", Destructive: "DESTRUCTIVE", Cancel: "CANCEL" } };

/** Asks the user, who answers what the test has set. */
export async function confirmAlert(options: AlertOptions): Promise<boolean> {
  host$.alerts.push(options);
  happened();
  return host$.confirm;
}
