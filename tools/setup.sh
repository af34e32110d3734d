#!/usr/bin/env bash
# Installs the Debian packages that the named groups need; does nothing when they are all there.
#
#   tools/setup.sh [core] [test] [python] [interop] [package] [bench] [peers] [lint] [gallery] [docs] [fuzz] [studio]
#                  default: core
#
# On other systems it says what is needed.  MUBODY_NO_SETUP=1 skips it.
set -euo pipefail

say() { echo "mubody: $*" >&2; }

if [ "${MUBODY_NO_SETUP:-}" = 1 ]; then exit 0; fi

wanted=()
for group in "${@:-core}"; do
  case $group in
    core) wanted+=(g++ cmake ninja-build ccache libeigen3-dev nlohmann-json3-dev libtomlplusplus-dev
                   libfmt-dev zlib1g-dev libexpat1-dev libsundials-dev libopenmpi-dev openmpi-bin nodejs npm) ;;
    test) wanted+=(libgtest-dev libgmock-dev python3 python3-jsonschema chromium gcc-arm-linux-gnueabihf libc6-dev-armhf-cross
                   dpkg-dev file pkg-config groff-base) ;;
    python) wanted+=(python3 python3-dev python3-numpy python3-pytest pybind11-dev) ;;
    interop) wanted+=(python3-venv chromium) ;;
    package) wanted+=(dpkg-dev file) ;;
    bench) wanted+=(libbenchmark-dev) ;;
    peers) wanted+=(libsimbody-dev libmujoco-dev python3-venv) ;;
    lint) wanted+=(clang-format clang-tidy python3) ;;
    gallery) wanted+=(python3) ;;
    docs) wanted+=(python3 mkdocs-material libjs-katex nodejs) ;;
    # Those before 16 do not understand the ranges of g++'s library.
    fuzz) wanted+=(clang-19 libclang-rt-19-dev) ;;
    studio) wanted+=(clang-22 lld-22 libc++-22-dev-wasm32 libc++abi-22-dev-wasm32 libclang-rt-22-dev-wasm32 wasi-libc nodejs npm) ;;
    *) say "unknown group '$group'; the groups are core, test, python, interop, package, bench, peers, lint, gallery, docs, fuzz and studio"; exit 1 ;;
  esac
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  say "this is not a Debian-like system; please install, by their Debian names:"
  say "  ${wanted[*]}"
  say "and repeat with MUBODY_NO_SETUP=1"
  exit 1
fi

# The status distinguishes an installed package from a removed one whose configuration is still there.
missing=()
for package in "${wanted[@]}"; do
  # If node is not from Debian, npm comes with it and is not a package.
  case $package in
    nodejs) if command -v node >/dev/null; then continue; fi ;;
    npm) if command -v npm >/dev/null; then continue; fi ;;
  esac
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  if [ "$status" != installed ]; then missing+=("$package"); fi
done
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    say "these packages are missing, and installing them needs root or sudo:"
    say "  ${missing[*]}"
    exit 1
  fi
  as_root=(sudo)
fi

say "installing ${#missing[@]} Debian packages: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Another program may hold the package database, such as the updates of a freshly started system.  apt-get
# itself waits for only one of the two locks, and silently.
patience=600 # seconds
apt() {
  local begin=$SECONDS said=
  # sudo clears the environment, hence env.
  until "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -o DPkg::Lock::Timeout=5 "$@" >"$log" 2>&1; do
    if ! grep -q 'Could not get lock' "$log" || [ $((SECONDS - begin)) -ge $patience ]; then return 1; fi
    if [ -z "$said" ]; then say "another program is using the package database; waiting for it, at most $patience s"; fi
    said=yes
    sleep 5
  done
}
if ! { apt update -qq && apt install -qq -y --no-install-recommends "${missing[@]}"; }; then
  cat "$log" >&2
  say "the packages could not be installed"
  exit 1
fi
