#!/usr/bin/env bash
# Builds the image of deploy/Containerfile on bases made from Debian packages, and runs it as user 10001 with a read-only root:
# health check, first call, stop. Without a registry of images and without a daemon. Needs root, buildah and mmdebstrap; minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
export BUILDAH_ISOLATION=chroot
port=${PORT:-45888}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The base of the image: Debian with certificates. The base of the build: the same with this machine's Node, npm and certificates.
# shellcheck disable=SC2086 -- options for a mirror of packages, several words
mmdebstrap ${MMDEBSTRAP_OPTIONS:-} --variant=minbase --include=ca-certificates,libatomic1,libstdc++6 bookworm "$work/base.tar"
base=$(buildah from scratch)
buildah add -q "$base" "$work/base.tar" /
buildah commit -q "$base" localhost/tollgate-base
buildah rm "$base"
build=$(buildah from localhost/tollgate-base)
root=$(buildah mount "$build")
npm=$(dirname "$(dirname "$(realpath "$(command -v npm)")")")
cp "$(realpath "$(command -v node)")" "$root/usr/bin/node"
mkdir -p "$root/usr/lib/node_modules"
cp -a "$npm" "$root/usr/lib/node_modules/npm"
ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/bin/npm"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
buildah umount "$build"
buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt --env "npm_config_registry=$(npm config get registry)" "$build"
buildah commit -q "$build" localhost/tollgate-build
buildah rm "$build"
buildah bud --build-arg BASE=localhost/tollgate-base --build-arg BUILD=localhost/tollgate-build \
  -f deploy/Containerfile -t localhost/tollgate .

image=$(buildah from localhost/tollgate)
trap 'buildah rm "$image" >/dev/null; rm -rf "$work"' EXIT
root=$(buildah mount "$image")
# In a mount namespace of its own: what is mounted here ends with it.
unshare --mount bash -euo pipefail -c '
  root=$1 port=$2
  mount --bind "$root" "$root" && mount -o remount,bind,ro "$root"
  mount -t tmpfs none "$root/tmp"
  mount -t tmpfs -o uid=10001,gid=10001,mode=700 none "$root/data"
  mount -t proc proc "$root/proc"
  env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/bin HOST=127.0.0.1 PORT="$port" TOLLGATE_DATA_DIR=/data \
    TOLLGATE_FIRST_START=file NODE_ENV=production chroot --userspec=10001:10001 "$root" /bin/sh -euc "
    cd /data
    tollgate start & gateway=\$!
    for second in \$(seq 60); do sleep 1; [ -s first-start.txt ] && break; done
    if touch /app/x 2>/dev/null; then echo the root can be written; exit 1; fi
    node -e \"fetch(\\\`http://127.0.0.1:\\\${process.env.PORT}/readyz\\\`).then((answer) => process.exit(answer.ok ? 0 : 1))\"
    export TOLLGATE_URL=http://127.0.0.1:\$PORT TOLLGATE_TOKEN=\$(sed -n \"s/.*Demo token \\([^ ]*\\).*/\\1/p\" first-start.txt)
    tollgate chat --model sandbox-chat Hello
    kill \$gateway
    wait \$gateway
    echo the image works"
' run "$root" "$port"
