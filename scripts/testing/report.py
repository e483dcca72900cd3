"""What scripts/test prints: a line a test program, and a summary."""

import collections
import re


def count(cases):
    return collections.Counter(case.outcome for case in cases)


def show(result, verbose):
    tally = count(result.cases)
    print(f"  {result.name:28} {result.label:12} {result.preset:8} {tally['passed']:7} passed"
          f" {tally['failed']:4} failed {tally['skipped']:4} skipped {result.seconds:8.1f} s", flush=True)
    if verbose:
        print(result.output)
        return
    for line in result.output.splitlines():
        if line.startswith("| "):
            print("    " + line)
    if tally["failed"]:
        print("\n".join("    " + line for line in interesting(result.output)), flush=True)


def interesting(output, most=80):
    """The end of the output without lines of passed cases."""
    lines = [line for line in output.splitlines()
             if not re.match(r"^\[( RUN |       OK |-+|=+)", line) and not line.endswith(" ... ok")]
    return lines[-most:]


def summarize(results, seconds):
    cases = [(result, case) for result in results for case in result.cases]
    for label, preset in dict.fromkeys((r.label, r.preset) for r in results):
        group = [r for r in results if (r.label, r.preset) == (label, preset)]
        tally = count(case for r in group for case in r.cases)
        print(f"{label:12} {preset:8} {tally['passed']:7} passed {tally['failed']:4} failed"
              f" {tally['skipped']:4} skipped {sum(r.seconds for r in group):8.1f} s")
    slowest = sorted(((case.seconds, result, case) for result, case in cases), key=lambda row: -row[0])[:5]
    print("slowest: " + ", ".join(f"{case.name} {seconds:.1f} s" for seconds, _, case in slowest if seconds >= 1))
    reasons = collections.defaultdict(list)
    for result, case in cases:
        if case.outcome == "failed":
            lines = case.message.strip().splitlines() or [""]
            print(f"FAILED {result.preset} {result.name}: {case.name}  {lines[-1 if 'Traceback' in lines[0] else 0]}")
        elif case.outcome == "skipped":
            reasons[case.message].append(f"{result.name}: {case.name}")
    for reason, names in reasons.items():
        more = f" and {len(names) - 5} more" if len(names) > 5 else ""
        print(f"skipped ({reason}): {', '.join(names[:5])}{more}")
    tally = count(case for _, case in cases)
    print(f"total {seconds:.0f} s")
    print(f"{tally['passed']} passed, {tally['failed']} failed"
          + (f", {tally['skipped']} skipped" if tally["skipped"] else ""))
    return 0 if tally["passed"] and not tally["failed"] else 1
