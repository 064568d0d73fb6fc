# The vendors' own Python libraries against the sandbox's two families of video: create, poll, list, cancel and delete, as
# their users call them. `python video_vendors.py http://127.0.0.1:8090` prints a line for each step, or fails.
import sys

address = sys.argv[1]
image = "https://example.com/first.png"


def step(name, is_right, seen=None):
    if not is_right:
        raise SystemExit(f"{name}: {seen}")
    print(f"ok {name}")


def alpha():
    import dashscope
    from dashscope import VideoSynthesis

    dashscope.base_http_api_url = f"{address}/api/v1"
    call = {"api_key": "sandbox"}

    made = VideoSynthesis.async_call(
        model="happyhorse-1.0-t2v", prompt="A boat [[task-polls 3]]", resolution="720P", ratio="16:9", duration=5,
        seed=0, watermark=False, **call,
    )
    step("alpha create", made.status_code == 200 and made.output.task_status == "PENDING", made)
    fetched = VideoSynthesis.fetch(made, **call)
    step("alpha poll", fetched.output.task_status in ("PENDING", "RUNNING"), fetched)
    done = VideoSynthesis.wait(made, **call)
    step("alpha wait", done.output.task_status == "SUCCEEDED" and done.output.video_url.startswith("http"), done)
    step("alpha usage", done.usage["video_count"] == 1 and done.usage["duration"] == 5, done.usage)

    from_image = VideoSynthesis.call(
        model="happyhorse-1.0-i2v", prompt="It moves [[task-polls 1]]", img_url=image, resolution="720P", **call
    )
    step("alpha img_url", from_image.status_code == 200 and from_image.output.task_status == "SUCCEEDED", from_image)
    from_media = VideoSynthesis.call(
        model="happyhorse-1.0-r2v", prompt="Both [[task-polls 1]]",
        media=[{"type": "reference_image", "url": image}, {"type": "reference_image", "url": image}], **call,
    )
    step("alpha media", from_media.output.task_status == "SUCCEEDED", from_media)

    waiting = VideoSynthesis.async_call(model="happyhorse-1.0-t2v", prompt="Wait [[task-queued]]", **call)
    cancelled = VideoSynthesis.cancel(waiting, **call)
    step("alpha cancel", cancelled.status_code == 200, cancelled)
    after = VideoSynthesis.fetch(waiting, **call)
    step("alpha cancelled", after.output.task_status == "CANCELED", after)
    listed = VideoSynthesis.list(model_name="happyhorse-1.0-t2v", page_no=1, page_size=10, **call)
    step("alpha list", listed.status_code == 200 and len(listed.output["data"]) >= 2, listed)
    refused = VideoSynthesis.async_call(model="no-such-model", prompt="A boat", **call)
    step("alpha refusal", refused.status_code == 404 and refused.code == "ModelNotFound", refused)
    key = VideoSynthesis.async_call(model="happyhorse-1.0-t2v", prompt="A boat", api_key="bad")
    step("alpha wrong key", key.status_code == 401 and key.code == "InvalidApiKey", key)


def beta():
    from volcenginesdkarkruntime import Ark
    from volcenginesdkarkruntime._exceptions import ArkBadRequestError, ArkNotFoundError

    ark = Ark(base_url=f"{address}/api/v3", api_key="sandbox", max_retries=0)
    tasks = ark.content_generation.tasks
    model = "doubao-seedance-1-5-pro-251215"

    def content(text):
        return [{"type": "text", "text": text}]

    made = tasks.create(model=model, content=content("A boat [[task-polls 3]]"))
    step("beta create", made.id.startswith("cgt-"), made)
    states = [tasks.get(task_id=made.id) for _ in range(3)]
    done = states[-1]
    step("beta poll", states[0].status == "queued" and done.status == "succeeded", states)
    step("beta content", done.content.video_url.startswith("http") and done.usage.total_tokens > 0, done)
    step("beta echo", done.model == model and done.resolution == "720p" and done.created_at > 0, done)

    full = tasks.create(
        model=model, content=[*content("It moves [[task-polls 1]]"), {"type": "image_url", "image_url": {"url": image}, "role": "first_frame"}],
        return_last_frame=True, service_tier="default", execution_expires_after=3600, generate_audio=False, watermark=False,
        seed=-1, resolution="480p", ratio="16:9", duration=5, camera_fixed=False, output_format="mp4",
    )
    shown = tasks.get(task_id=full.id)
    step("beta every field", shown.status == "succeeded" and shown.content.last_frame_url.startswith("http"), shown)

    waiting = tasks.create(model=model, content=content("Wait [[task-queued]]"))
    tasks.delete(task_id=waiting.id)
    step("beta cancel", tasks.get(task_id=waiting.id).status == "cancelled")
    listed = tasks.list(page_num=1, page_size=10, status="succeeded", model=model, task_ids=[made.id, full.id])
    step("beta list", listed.total == 2 and {item.id for item in listed.items} == {made.id, full.id}, listed)
    tasks.delete(task_id=made.id)
    try:
        tasks.get(task_id=made.id)
        step("beta delete", False)
    except ArkNotFoundError as error:
        step("beta delete", error.code == "ResourceNotFound", error)
    try:
        tasks.create(model=model, content=content("A boat"), duration=99)
        step("beta refusal", False)
    except ArkBadRequestError as error:
        step("beta refusal", error.code == "InvalidParameter" and error.param == "duration", error)


alpha()
beta()
