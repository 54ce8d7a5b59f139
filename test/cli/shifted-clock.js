// Loaded before the command: its clock goes ahead by CLOCK_SHIFT milliseconds.
const { now } = Date;
const shift = Number(process.env.CLOCK_SHIFT);
Date.now = () => now() + shift;
