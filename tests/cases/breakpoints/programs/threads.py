# Threads that start during the run are followed.
import threading


def work():
    return 1  # 3 calls, 3 stops


def run():
    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
