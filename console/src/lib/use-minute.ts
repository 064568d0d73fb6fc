// The current minute in Unix seconds, moving on while a page stays open.
import { useEffect, useState } from 'react';

const MINUTE = 60;

function thisMinute(): number {
  return Math.floor(Date.now() / 1000 / MINUTE) * MINUTE;
}

export function useMinute(): number {
  const [minute, setMinute] = useState(thisMinute);
  useEffect(() => {
    const timer = setInterval(() => setMinute(thisMinute()), MINUTE * 1000);
    return () => clearInterval(timer);
  }, []);
  return minute;
}
