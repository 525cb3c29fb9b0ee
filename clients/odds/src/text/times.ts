// Ages and countdowns as a terminal shows them.

/** `12s`, `4m`, `3h`, `2d`: rounded down. */
export function ageText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return `${whole}s`;
  if (whole < 3600) return `${Math.floor(whole / 60)}m`;
  return whole < 86_400 ? `${Math.floor(whole / 3600)}h` : `${Math.floor(whole / 86_400)}d`;
}

/** `4:05`, `1h04`, `2d3h` to the advertised start; `0:12 past` once it has passed. */
export function countdownText(secondsToStart: number): string {
  const whole = Math.ceil(secondsToStart);
  return whole > 0 ? spanText(whole) : `${spanText(Math.floor(-secondsToStart))} past`;
}

function spanText(whole: number): string {
  const [minutes, hours, days] = [60, 3600, 86_400].map((unit) => Math.floor(whole / unit)) as [number, number, number];
  if (hours < 1) return `${minutes}:${two(whole % 60)}`;
  return days < 1 ? `${hours}h${two(minutes % 60)}` : `${days}d${hours % 24}h`;
}

const two = (count: number): string => String(count).padStart(2, '0');
